// The door of diagrams: the text of a diagram of Mermaid as a picture, laid out by a library that needs no browser.
import { renderMermaid } from 'beautiful-mermaid'
import { draftClasses, isClasses } from './classes.ts'
import type { Draft } from './draft.ts'
import { draftEntities, isEntities } from './entities.ts'
import { draftFlowchart, isFlowchart } from './flowchart.ts'
import { DARK, LIGHT } from './palettes.ts'
import { redraw } from './redraw.ts'
import { draftSequence, isSequence } from './sequence.ts'
import { draftStates, isStates } from './states.ts'
import { type DiagramText, readText } from './text.ts'

/** SVG that is whole in itself, for light and for dark pages. */
export type DrawnDiagram = {
  readonly light: string
  readonly dark: string
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly title?: string
  /** What it shows, in words. */
  readonly alt: string
}

/** Undefined if it is of a kind that is not drawn, has a line that is not understood, or is too large. */
export async function drawDiagram(source: string): Promise<DrawnDiagram | undefined> {
  const text = readText(source)
  const draft = text && draftOf(text)
  if (text === undefined || draft === undefined) return undefined
  const drawn = await layOut(draft)
  const light = drawn === undefined ? undefined : redraw(drawn, draft, LIGHT)
  const dark = drawn === undefined ? undefined : redraw(drawn, draft, DARK)
  if (light === undefined || dark === undefined) return undefined
  return {
    ...{ light: light.svg, dark: dark.svg, width: light.width, height: light.height },
    ...(text.title === undefined ? {} : { title: text.title }),
    alt: altOf(text, draft),
  }
}

const KINDS: readonly (readonly [(head: string) => boolean, (text: DiagramText) => Draft | undefined])[] = [
  [isFlowchart, draftFlowchart],
  [isSequence, draftSequence],
  [isClasses, draftClasses],
  [isStates, draftStates],
  [isEntities, draftEntities],
]

function draftOf(text: DiagramText): Draft | undefined {
  const [, draft] = KINDS.find(([isOfKind]) => isOfKind(text.head)) ?? []
  return draft?.(text)
}

/** The layout fails for some diagrams that it should not fail for, such as arrows from a group into itself. */
async function layOut({ text, spacing }: Draft): Promise<string | undefined> {
  try {
    return await renderMermaid(text, spacing)
  } catch {
    return undefined
  }
}

const ALT_CHARACTERS_MAX = 300

function altOf({ description }: DiagramText, { kind, names }: Draft): string {
  const words = `${kind}: ${description ?? names.filter(name => name !== '').join(', ')}`.toWellFormed()
  return words.length > ALT_CHARACTERS_MAX
    ? `${words.slice(0, ALT_CHARACTERS_MAX).trimEnd().toWellFormed()}…`
    : words
}
