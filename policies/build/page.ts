/** A page of the documentation that stands alone: links to other pages become their text, links inside of it stay. */
export function standalonePage(page: string): string {
  return page.replaceAll(/\[([^\]]+)\]\((?!#|https?:)[^)]*\)/g, '$1');
}
