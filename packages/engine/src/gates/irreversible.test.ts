/** Which commands cannot be taken back. */
import { expect, test } from "vitest";
import { analysis, command } from "../../test/gate-cases.ts";
import { graveCommands, irreversibleRows, shownSubjects } from "./irreversible.ts";

function degree(text: string): "irreversible" | "changes" | "ordinary" {
  const [found] = graveCommands(analysis(text), text);
  if (found === undefined) return "ordinary";
  return found.isIrreversible ? "irreversible" : "changes";
}

test.each([
  "terraform apply",
  "terraform apply -auto-approve",
  "terraform -chdir=infra destroy",
  "/usr/bin/terraform destroy",
  "tofu apply -destroy",
  "terragrunt run-all destroy",
  "terraform state rm aws_db.x",
  "pulumi destroy --yes",
  "pulumi -C infra up",
  "cdk destroy",
  "git reset --hard",
  "git reset --hard HEAD~3",
  "git -C sub reset --hard",
  "git clean -fdx",
  "git checkout -- src/a.ts",
  "git checkout .",
  "git checkout -f main",
  "git checkout HEAD src/a.ts",
  "git checkout src/index.ts",
  "git restore src/a.ts",
  "git restore --staged --worktree src/a.ts",
  "git switch --discard-changes main",
  "git push --force",
  "git push origin main -f",
  "git push --force-with-lease",
  "git push origin +main",
  "git push origin :old",
  "git push --delete origin old",
  "git stash drop",
  "git stash clear",
  "git branch -D old",
  "git branch --delete --force old",
  "rm -rf build",
  "rm -fr build",
  "rm -r build",
  "rm --recursive build",
  "find . -name x -delete",
  "dd if=/dev/zero of=/dev/sda",
  "mkfs.ext4 /dev/sda1",
  "docker system prune -af",
  "docker volume rm data",
  "docker compose down -v",
  "docker-compose -f x.yml down --volumes",
  "kubectl delete pod x",
  "kubectl -n prod delete deployment x",
  "kubectl delete pod x --dry-run=none",
  "helm uninstall x",
  "aws ec2 terminate-instances --instance-ids i-1",
  "aws --profile prod rds delete-db-instance",
  "aws s3 rm s3://x --recursive",
  "gcloud compute instances delete x",
  "az group delete -n x",
  "npm unpublish x",
  "psql -c DROP TABLE users",
  "psql -c drop database x",
  "mysql -e TRUNCATE users",
  "sqlite3 app.db DELETE FROM users",
  "mongosh --eval db.users.drop()",
  "redis-cli FLUSHALL",
  "dropdb x",
  "prisma migrate reset",
  "rails db:drop",
  "python3 ./manage.py flush",
])("%s cannot be taken back", (text) => {
  expect(degree(text)).toBe("irreversible");
});

test.each([
  "terraform import x y",
  "terraform plan",
  "kubectl scale deployment x --replicas=0",
  "kubectl create namespace x",
  "helm install x .",
  "aws ec2 run-instances",
])("%s changes what lies outside", (text) => {
  expect(degree(text)).toBe("changes");
});

test.each([
  "terraform fmt",
  "terraform show",
  "git reset HEAD a.ts",
  "git reset --soft HEAD~1",
  "git clean -n",
  "git clean -nfd",
  "git checkout main",
  "git checkout feature/login",
  "git checkout v1.2.3",
  "git checkout -b feature/x main",
  "git restore --staged a.ts",
  "git switch main",
  "git push",
  "git push origin main",
  "git push --force --dry-run",
  "git stash",
  "git stash list",
  "git branch -d merged",
  "git commit -m reset --hard",
  "rm a.txt",
  "rm -f a.txt",
  "find . -name x",
  "docker ps",
  "docker compose down",
  "kubectl get pods",
  "kubectl delete pod x --dry-run=client",
  "aws s3 ls",
  "aws ec2 describe-instances",
  "gcloud compute instances list",
  "psql -c SELECT 1",
  "npm publish",
  "npm test",
  "ls -la",
])("%s is ordinary", (text) => {
  expect(degree(text)).toBe("ordinary");
});

test("what is piped into a database client counts as its text", () => {
  const whole = "echo 'DROP TABLE users' | psql app";
  const found = graveCommands(analysis("echo DROP TABLE users", "psql app"), whole);
  expect(found).toEqual([
    {
      command: command("psql app"),
      text: "psql app",
      shows: "database",
      why: "it deletes data from a database",
      isIrreversible: true,
    },
  ]);
});

test("every row of the table is well-formed", () => {
  const known = new Set(["programs", "words", "options", "unless", "operand", "text", "shows", "why", "degree"]);
  const wrong = irreversibleRows.filter(
    (row) =>
      Object.entries(row).some(([key, value]) => !known.has(key) || typeof value !== "string" || value === "") ||
      !shownSubjects.includes(row.shows) ||
      (row.degree !== undefined && row.degree !== "changes"),
  );
  expect(wrong).toEqual([]);
});
