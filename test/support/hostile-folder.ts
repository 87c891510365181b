// A repository that tries to run script in its readers' browsers, by every way that content takes to a browser: text, titles,
// names, addresses and files. Each of its pages carries a word to know it by.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HOSTILE_PAGES } from './markdown/hostile-pages.ts'

const IMG = '<img src=x onerror=alert(1)>'
const SCRIPT = '<script>alert(1)</script>'
const BREAKOUT = `"'></title></textarea></script><script>alert(1)</script><svg onload=alert(1)>`

/** Files that a browser could open as a page of its own, if it were let. */
export const ACTIVE_FILES: Readonly<Record<string, string>> = {
  'script.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1); document.documentElement.id = 'ran'</script><a href="javascript:alert(1)"><rect width="200" height="200" fill="red"/></a><foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/><iframe src="javascript:alert(1)"/></body></foreignObject><image href="https://evil.example/x.png"/><style>@import url(https://evil.example/x.css);</style></svg>`,
  'script.html': `<!doctype html><script>alert(1); document.documentElement.id = 'ran'</script>${IMG}`,
  'script.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>`,
  'script.xml': `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>`,
  'styled.xml': `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="https://evil.example/x.xsl"?><a/>`,
  'picture.png': `<!doctype html><script>alert(1)</script>`,
  'words.txt': `<!doctype html><script>alert(1)</script>`,
  'code.js': `alert(1)`,
  'page.mhtml': `MIME-Version: 1.0\nContent-Type: multipart/related\n\n<script>alert(1)</script>`,
}

const HOSTILE_NAMES = [
  `${IMG}.md`,
  `"onmouseover="alert(1).md`,
  `'-alert(1)-'.md`,
  `javascript:alert(1).md`,
  `{{constructor.constructor('alert(1)')()}}.md`,
  `__proto__.md`,
  `%3Cscript%3Ealert(1)%3C%2Fscript%3E.md`,
]

const FRONTMATTER = `---
title: >-
  ${BREAKOUT}
description: >-
  Frontmatter ${BREAKOUT}
icon: 'x" onload="alert(1)'
emoji: '${SCRIPT}'
cover: 'javascript:alert(1)'
coverY: '0;position:fixed'
layout:
  width: 'wide" onclick="alert(1)'
  cover:
    visible: true
    size: 'hero" onclick="alert(1)'
tags: ['${SCRIPT}']
vars:
  hostile: '${SCRIPT}'
---
`

const COVER = `---
cover: 'x");background:url(https://evil.example/x.css);"'
---

# Cover

Covered
`

const CLOBBER = `# Clobbering

<img name="body"><form name="cookie"></form><form name="querySelectorAll"></form><img name="getElementById">
<a id="documentElement"></a><a id="classList"></a><a id="localStorage"></a><a id="location" href="javascript:alert(1)">x</a>

## reader:content <a href="#reader:content" id="reader:content"></a>

## __proto__ <a href="#proto" id="__proto__"></a>

## reader:pages

<div id="reader:pages" data-search class="search-box"><input name="q" data-search-input></div>
<div data-theme-toggle class="masthead-button">x</div>

Clobbered
`

const LINKS = `# Links

${[
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:alert(1)',
  'file:///etc/passwd',
]
  .map(address => `[click me](${address}) <a href="${address}">click me</a>`)
  .join('\n')}

[a page](./clobber.md) [nowhere](<nowhere.md#"onclick=alert(1)>) ![x](.gitbook/assets/script.svg)

${Object.keys(ACTIVE_FILES)
  .map(
    name =>
      `[the file ${name}](.gitbook/assets/${name})\n\n{% file src=".gitbook/assets/${name}" %}\n${IMG}\n{% endfile %}`,
  )
  .join('\n\n')}

<object data=".gitbook/assets/script.svg"></object><embed src=".gitbook/assets/script.html"><iframe src=".gitbook/assets/script.html"></iframe>

Linked
`

const pageNumber = (index: number): string => `pages/page-${String(index).padStart(3, '0')}.md`

const FILES: Readonly<Record<string, string>> = {
  'README.md': `# ${BREAKOUT}\n\n${SCRIPT}\n\nFirst\n`,
  'frontmatter.md': `${FRONTMATTER}\n${SCRIPT}\n\nFronted\n`,
  'cover.md': COVER,
  'clobber.md': CLOBBER,
  'links.md': LINKS,
  ...Object.fromEntries(HOSTILE_NAMES.map(name => [name, `# ${IMG}\n\nNamed\n`])),
  ...Object.fromEntries(
    HOSTILE_PAGES.map((page, index) => [pageNumber(index), `# Page ${index} ${IMG}\n\n${page}\n`]),
  ),
  ...Object.fromEntries(
    Object.entries(ACTIVE_FILES).map(([name, text]) => [`.gitbook/assets/${name}`, text]),
  ),
  '.gitbook/assets/x" onerror="alert(1).png': 'no picture',
  '.gitbook.yaml': `root: ./\nredirects:\n  old: 'javascript:alert(1)'\n  older: https://evil.example/\n`,
  'SUMMARY.md': `# ${SCRIPT}

* [${IMG} ${SCRIPT}](README.md)
* [${BREAKOUT.replaceAll(/[<>]/g, '\\$&')}](frontmatter.md)
* [Cover](cover.md)
* [Clobbering](clobber.md)
* [Links](links.md)
* [click me](javascript:alert(1))
* [click me](data:text/html,<script>alert(1)</script>)
* [a way out](https://evil.example/)

## ${SCRIPT} <a href="javascript:alert(1)" id="x&quot; onclick=&quot;alert(1)"></a>

${HOSTILE_NAMES.map(name => `* [Named](<${name.replaceAll(/[<>]/g, '\\$&')}>)`).join('\n')}

## Pages

${HOSTILE_PAGES.map((_, index) => `* [Page ${index}](${pageNumber(index)})`).join('\n')}
`,
}

/** Writes it into a folder. */
export function writeHostileFolder(folder: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Typed into search boxes and addresses. */
export const HOSTILE_WORDS: readonly string[] = [BREAKOUT, 'javascript:alert(1)', SCRIPT, IMG, '{{alert(1)}}']
