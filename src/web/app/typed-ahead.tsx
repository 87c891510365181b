// Letters that are typed after ⌘K and before the palette is there are meant for its field. They would otherwise be the
// shortcuts of the screen, of which one approves a change request.
import { type RefObject, useLayoutEffect } from 'react'

type Props = { readonly into: RefObject<string> }

export function TypedAhead({ into }: Props) {
  useLayoutEffect(() => {
    const take = (event: KeyboardEvent) => {
      const { key, isComposing, metaKey, ctrlKey, altKey } = event
      if (key.length > 1 || isComposing || metaKey || ctrlKey || altKey) return
      event.preventDefault()
      event.stopImmediatePropagation()
      into.current += key
    }
    addEventListener('keydown', take, true)
    return () => removeEventListener('keydown', take, true)
  }, [into])
  return null
}
