// The HTML of the workspace: its script, its styles, and nothing of anybody's content.
import { html } from '../../base/html.ts'
import type { Theme } from '../layout/view.ts'

export type WorkspaceView = {
  /** For style elements that libraries add; the policy names it. */
  readonly nonce: string
  readonly theme: Theme
  readonly icon: string
  /** The address of drawings of icons, up to their names. */
  readonly iconSheet: string
  /** The most bytes that a file can have. */
  readonly fileBytesMax: number
  readonly script: string
  readonly stylesheet: string
}

/** The script sets the language once it knows it. */
export const renderWorkspace = (view: WorkspaceView): string =>
  html`<!doctype html>
<html lang="en"${view.theme !== 'system' && html` data-theme="${view.theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${view.nonce}">
<meta property="icon-sheet" content="${view.iconSheet}">
<meta property="file-bytes-max" content="${view.fileBytesMax}">
<title>Octavo</title>
<link rel="stylesheet" href="${view.stylesheet}">
<link rel="icon" type="image/svg+xml" href="${view.icon}">
<script type="module" src="${view.script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The workspace needs JavaScript. Pages can be read without it: <a href="/?reader">read them</a>.</noscript>
</body>
</html>
`.toString()
