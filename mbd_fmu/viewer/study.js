// Entry of the page of a study: its cases, drawn and chosen.
import { StudyPage } from "./study/page.js";

for (const host of document.querySelectorAll(".study")) host.page = new StudyPage(host);
