// Where the workspace shows what the reader links to.

const spaceHref = (spaceId: string): string => `/w/s/${encodeURIComponent(spaceId)}`

export const workspacePageHref = (spaceId: string, pageId: string): string =>
  `${spaceHref(spaceId)}/p/${encodeURIComponent(pageId)}`
export const workspaceHistoryHref = (spaceId: string): string => `${spaceHref(spaceId)}/history`
export const workspaceChangesHref = (spaceId: string): string => `${spaceHref(spaceId)}/c`
/** `number` may be what somebody wrote in an address. */
export const workspaceChangeRequestHref = (spaceId: string, number: number | string): string =>
  `${workspaceChangesHref(spaceId)}/${encodeURIComponent(number)}`
/** What a change request changes on a page. */
export const workspaceReviewHref = (spaceId: string, number: number | string, pageId: string): string =>
  `${workspaceChangeRequestHref(spaceId, number)}/changes?item=${encodeURIComponent(`page.${pageId}`)}`
