/** Words of questions and sentences that say nothing about what is searched for. */
const lists = {
  en: `a about all also am an and any are as at be been but by can could did do does doing for from had has have having how
    i if in into is it its me my of on or our shall should so some such than that the their them then there these they
    this those to was we were what when where which who why will with would you your`,
  de: `aber als am an auch auf aus bei bin bis das dass dem den der des die dir du ein eine einem einen einer es für hat
    ich im in ist kann man mein mich mir mit nach oder sich sie sind um und von vor was wenn wer wie wird wo zu zum zur`,
  fr: `au aux avec ce ces cette comment dans de des du elle en est et il je la le les leur ma mes mon ne nous ou par pas
    pour que qui sa se ses son sur un une vous`,
  es: `al como con cual de del donde el ella en es esta este ha la las lo los me mi para por que se ser si sin su sus un
    una y yo`,
  pt: `ao aos as como com da das de do dos e em eu na nas no nos o os para por que se um uma`,
  it: `ai al alla che chi come con da dal dei del della di e gli il io la le lo mi nel nella per posso si un una`,
  nl: `aan bij dat de deze die dit een en het hoe ik in is kan met mijn naar niet of om op te van voor waar wat`,
};

// Words of one language that are words of a subject in another are left out, such as "do" in Portuguese.
export const stopWords: ReadonlySet<string> = new Set(
  Object.values(lists).flatMap((words) => words.split(/\s+/).map((word) => word.replaceAll('ü', 'u'))),
);
