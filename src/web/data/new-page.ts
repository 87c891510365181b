/** What the history of the browser keeps beside the address of a page that was just begun. */
export const NEW_PAGE = 'new page'

/** Whether the page on the screen was just begun; once. */
export function takeNewPage(): boolean {
  if (history.state !== NEW_PAGE) return false
  history.replaceState(null, '')
  return true
}
