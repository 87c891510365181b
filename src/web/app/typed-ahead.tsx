// Letters that are typed after ⌘K and before the palette is there are meant for its field. They would otherwise be the
// shortcuts of the screen, of which one approves a change request.
import { type RefObject, useLayoutEffect } from 'react'
import { chordOf } from '../parts/shortcuts.ts'

type Props = { readonly into: RefObject<string> }

export function TypedAhead({ into }: Props) {
  useLayoutEffect(() => {
    const take = (event: KeyboardEvent) => {
      const chord = chordOf(event)
      if (chord.length > 1) return
      event.preventDefault()
      into.current += chord
    }
    addEventListener('keydown', take, true)
    return () => removeEventListener('keydown', take, true)
  }, [into])
  return null
}
