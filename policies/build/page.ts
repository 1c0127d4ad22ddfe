/** Makes a page of the documentation stand alone: links to other pages become text, links within it stay. */
export function standalonePage(page: string): string {
  return page.replaceAll(/\[([^\]]+)\]\((?!#|https?:)[^)]*\)/g, '$1');
}
