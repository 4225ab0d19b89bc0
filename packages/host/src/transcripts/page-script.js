const field = document.getElementById("find");
const articles = [...document.querySelectorAll("article")].map((article) => ({
  article,
  text: article.textContent.toLowerCase(),
}));
field.addEventListener("input", () => {
  const wanted = field.value.toLowerCase();
  for (const { article, text } of articles) article.hidden = !text.includes(wanted);
});
