import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { nameScreen } from '../data/drafts.ts'
import { t } from '../messages/messages.ts'

type Props = {
  readonly title: string
  /** Above the heading. */
  readonly crumbs?: ReactNode
  /** Beside the heading. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A screen with its heading. */
export function Screen({ title, crumbs, actions, children }: Props) {
  const heading = useHeading(title)
  return (
    <div className="screen">
      <header className="screen-head">
        {crumbs}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </header>
      {children}
    </div>
  )
}

/** State of the history of the browser for navigation that comes of work beside the screen, which goes on there. */
export const KEEPS_FOCUS = 'keeps focus'

/** For the heading of a screen, which gets the focus after navigation, and names the document. */
export function useHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = t('shell.title', { title })
    nameScreen(title)
  }, [title])
  useEffect(() => {
    if (history.state !== KEEPS_FOCUS) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
