// Every address that Octavo hands out, built in one place from OCTAVO_PUBLIC_URL.

export interface Urls {
  /** `urls.api('/spaces/1')` → `https://docs.example/v1/spaces/1` */
  api(path: string): string
  /** A space in the browser. */
  space(spaceId: string): string
  /** A page in the browser; `path` is its path in the space ('' is the first page). */
  page(spaceId: string, path: string): string
  /** A change request in the workspace. */
  changeRequest(spaceId: string, number: number): string
  /** The preview of a page of a change request, at this path in its content. */
  preview(spaceId: string, number: number, path: string): string
  /** An address below the root of the server. */
  root(path: string): string
}

export function createUrls(publicUrl: string): Urls {
  const base = publicUrl.replace(/(?<!\/)\/+$/, '')
  const space = (spaceId: string) => `${base}/s/${spaceId}`
  return {
    api: path => `${base}/v1${path}`,
    space,
    page: (spaceId, path) => (path === '' ? space(spaceId) : `${space(spaceId)}/${encodePath(path)}`),
    changeRequest: (spaceId, number) => `${base}/w/s/${spaceId}/c/${number}`,
    preview: (spaceId, number, path) => `${space(spaceId)}/~/changes/${number}/${encodePath(path)}`,
    root: path => `${base}${path}`,
  }
}

/** Percent-encodes each segment and keeps the slashes. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
