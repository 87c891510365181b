// Colours of diagrams: those of the reader (site/assets/reader.css), as literals, since a picture knows nothing of the
// page that it is on.

/** By the names of the library. */
export type Palette = Readonly<Record<string, string>>

export const LIGHT: Palette = {
  bg: '#ffffff',
  _text: '#1a1e24',
  '_text-sec': '#1a1e24',
  '_text-muted': '#454d58',
  '_text-faint': '#626c7a',
  _line: '#626c7a',
  _arrow: '#626c7a',
  '_node-fill': '#edf2fe',
  '_node-stroke': '#7f9fe6',
  '_group-fill': '#f7f8fa',
  '_group-hdr': '#dfe8fc',
  '_inner-stroke': '#ccd2da',
  '_key-badge': '#ccd9f8',
}

export const DARK: Palette = {
  bg: '#121417',
  _text: '#e8ebef',
  '_text-sec': '#e8ebef',
  '_text-muted': '#b7bec8',
  '_text-faint': '#929ba8',
  _line: '#929ba8',
  _arrow: '#929ba8',
  '_node-fill': '#1b2642',
  '_node-stroke': '#5674b8',
  '_group-fill': '#191c20',
  '_group-hdr': '#26355c',
  '_inner-stroke': '#3b424c',
  '_key-badge': '#34477a',
}
