/** Which files are premises, and of which commands. */
import { expect, test } from "vitest";
import { command } from "../../test/gate-cases.ts";
import { commandFamilies, familiesOfPath, premiseFilesOfHome } from "./premise-files.ts";

test.each([
  ["/w/infra/terraform.tfstate", ["terraform"]],
  ["/w/terraform.tfstate.backup", ["terraform"]],
  ["/w/prod.auto.tfvars", ["terraform"]],
  ["/w/terraform.tfvars", ["terraform"]],
  ["/w/.terraform/environment", ["terraform"]],
  ["/w/infra/.terraform/terraform.tfstate", ["terraform"]],
  ["/w/Pulumi.prod.yaml", ["pulumi"]],
  ["/w/kubeconfig", ["kubernetes"]],
  ["/w/prod.kubeconfig", ["kubernetes"]],
  ["/home/dev/.kube/config", ["kubernetes"]],
  ["/w/.env", ["environment", "database"]],
  ["/w/app/.env.production", ["environment", "database"]],
  ["/home/dev/.aws/credentials", ["aws"]],
  ["/home/dev/.config/gcloud/active_config", ["gcloud"]],
  ["/home/dev/.config/gcloud/configurations/config_prod", ["gcloud"]],
  ["/home/dev/.azure/azureProfile.json", ["azure"]],
  ["/w/config/database.yml", ["database"]],
  ["C:\\w\\terraform.tfstate", ["terraform"]],
  ["/w/.env.example", []],
  ["/w/.terraform.tfstate.lock.info", []],
  ["/w/main.tf", []],
  ["/w/variables.tfvars", []],
  ["/w/Pulumi.yaml", []],
  ["/w/src/environment", []],
  ["/w/config", []],
  ["/w/config.json", []],
  ["/w/credentials", []],
])("%s decides for %j", (path, families) => {
  expect(familiesOfPath(path)).toEqual(families);
});

test.each([
  ["terraform destroy", ["terraform", "aws"]],
  ["terraform plan -out x", ["terraform"]],
  ["/usr/local/bin/tofu apply", ["terraform", "aws"]],
  ["terraform -chdir=infra plan", ["terraform"]],
  ["pulumi up", ["pulumi"]],
  ["kubectl -n prod get pods", ["kubernetes"]],
  ["helm upgrade x .", ["kubernetes"]],
  ["aws s3 ls", ["aws"]],
  ["gcloud compute instances list", ["gcloud"]],
  ["az group list", ["azure"]],
  ["docker compose -f prod.yml up -d", ["environment"]],
  ["prisma migrate deploy", ["database"]],
  ["rails db:migrate", ["database"]],
  ["python manage.py migrate", ["database"]],
  ["npm run db:reset", ["database"]],
  ["pnpm run migrate:prod", ["database"]],
  ["psql -h db", ["database"]],
  ["terraform fmt", []],
  ["terraform validate", []],
  ["terraform -version", []],
  ["kubectl version --client", []],
  ["helm template x .", []],
  ["npm run build", []],
  ["npm test", []],
  ["docker build .", []],
  ["docker compose config", []],
  ["rails server", []],
  ["python script.py", []],
  ["git status", []],
  ["ls", []],
])("%s belongs to %j", (text, families) => {
  expect(commandFamilies(command(text), text)).toEqual(families);
});

test("another spelling of the command counts as well", () => {
  expect(commandFamilies(command("'/opt/t f' destroy", "terraform destroy"), "")).toEqual(["terraform", "aws"]);
});

test("every file of the home that is looked at is a premise", () => {
  const none = premiseFilesOfHome("/home/dev").filter((path) => familiesOfPath(path).length === 0);
  expect(none).toEqual([]);
});
