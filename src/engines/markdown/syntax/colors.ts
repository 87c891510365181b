// The colours that a `style` attribute names.

/** The declarations of a `style` attribute that mean something here: `color` and `background-color`. */
export function readColours(style: string | undefined): { ink?: string; paper?: string } {
  const found: { ink?: string; paper?: string } = {}
  for (const declaration of (style ?? '').slice(0, 500).split(';')) {
    const [name, value] = declaration.split(':')
    if (name?.trim() === 'color' && value !== undefined) found.ink = value
    if (name?.trim() === 'background-color' && value !== undefined) found.paper = value
  }
  return found
}
