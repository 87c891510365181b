// The source that `octavo import` reads: a repository or a folder.

/** Whether a source is the address of a repository, in any protocol: `https://…`, `ssh://…`, `git@host:…`. */
export const isRepository = (source: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(source) || /^[\w.-]+@[\w.-]+:/.test(source)
