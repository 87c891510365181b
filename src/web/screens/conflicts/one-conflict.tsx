// One conflict: what was before, what each side made of it, and the three ways to settle it.
import Check from 'lucide-react/icons/check'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import type { Place } from '../../data/change-request.ts'
import type { Answer, Conflict, Side } from '../../data/conflicts.ts'
import { t } from '../../messages/messages.ts'
import { IconButton } from '../../parts/button.tsx'
import { writableOf } from './kinds.ts'
import { Version } from './version.tsx'
import { sayHint, sayKind, sayPart, sayWhere } from './words.ts'
import { Write } from './write.tsx'

/** The heading of the conflict on the screen, which has the focus after each step. */
export const HEADING_ID = 'conflicts:current'

type Props = {
  readonly place: Place
  readonly conflict: Conflict
  readonly at: number
  readonly total: number
  readonly base: string | undefined
  readonly answer: Answer | undefined
  /** What was written for it on this device, used or not. */
  readonly text: string | undefined
  readonly isReadOnly: boolean
  readonly onWrite: (text: string | undefined) => void
  readonly onSettle: (answer: Answer | undefined) => void
  readonly onStep: (by: number) => void
}

export function OneConflict(props: Props) {
  const { place, conflict, at, total, base, answer, text, isReadOnly, onWrite, onSettle, onStep } = props
  const [isWriting, setWriting] = useState(text !== undefined && answer === undefined)
  const writable = writableOf(conflict)
  const part = sayPart(conflict)
  const hint = sayHint(conflict)
  const kept = answer !== undefined && 'keep' in answer ? answer.keep : undefined
  const isWritten = answer !== undefined && !('keep' in answer)
  const keep = (side: Side) => {
    setWriting(false)
    onSettle(kept === side ? undefined : { keep: side })
  }
  const { versions } = conflict
  // At the top of the tree a page has nothing above it.
  const hasBase = versions.base !== null || conflict.field === 'parent'
  const against = versions.base === null ? undefined : 'base'
  return (
    <section className="conflict" aria-labelledby={HEADING_ID}>
      <header className="conflict-head">
        <div className="grow">
          <p className="soft" dir="auto">
            <bdi>{sayWhere(conflict)}</bdi>
            {part !== undefined && ` · ${part}`}
          </p>
          <h2 id={HEADING_ID} tabIndex={-1}>
            {sayKind(conflict)}
          </h2>
        </div>
        <span className="numbers soft">{t('conflicts.position', { at: at + 1, total })}</span>
        <div className="row">
          <IconButton label={t('conflicts.previous')} isDisabled={at === 0} onPress={() => onStep(-1)}>
            <ChevronLeft size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('conflicts.next')} isDisabled={at === total - 1} onPress={() => onStep(1)}>
            <ChevronRight size={18} aria-hidden />
          </IconButton>
        </div>
      </header>
      {hint !== undefined && <p className="soft">{hint}</p>}
      {conflict.isCut && <p className="notice warning">{t('conflicts.cut')}</p>}
      {hasBase && (
        <section className="version base" aria-labelledby="conflicts:base">
          <h3 id="conflicts:base">{t('conflicts.base')}</h3>
          <Version place={place} conflict={conflict} side="base" against={undefined} base={base} />
        </section>
      )}
      <div className="versions">
        <section className="version" data-chosen={kept === 'space'} aria-labelledby="conflicts:space">
          <h3 id="conflicts:space">{t('conflicts.space')}</h3>
          <Version place={place} conflict={conflict} side="space" against={against} base={base} />
          {!isReadOnly && (
            <Choice
              isChosen={kept === 'space'}
              label={t('conflicts.keepSpace')}
              onChoose={() => keep('space')}
            />
          )}
        </section>
        <section
          className="version"
          data-chosen={kept === 'changeRequest'}
          aria-labelledby="conflicts:change-request"
        >
          <h3 id="conflicts:change-request">{t('conflicts.changeRequest')}</h3>
          <Version
            place={place}
            conflict={conflict}
            side="changeRequest"
            against={against ?? 'space'}
            base={base}
          />
          {!isReadOnly && (
            <Choice
              isChosen={kept === 'changeRequest'}
              label={t('conflicts.keepChangeRequest')}
              onChoose={() => keep('changeRequest')}
            />
          )}
        </section>
      </div>
      {!isReadOnly && writable !== undefined && (
        <section className="version written" data-chosen={isWritten} aria-label={t('conflicts.written')}>
          {!isWriting && isWritten && <Written place={place} conflict={conflict} answer={answer} />}
          {!isWriting && (
            <ToggleButton className="button" isSelected={isWritten} onChange={() => setWriting(true)}>
              <Pencil size={14} aria-hidden />
              {t('conflicts.write')}
            </ToggleButton>
          )}
          {isWriting && (
            <Write
              place={place}
              conflict={conflict}
              isMarkdown={writable === 'markdown'}
              text={text}
              onWrite={onWrite}
              onUse={written => {
                setWriting(false)
                onSettle(writable === 'markdown' ? { markdown: written } : { value: written })
              }}
              onCancel={() => setWriting(false)}
            />
          )}
        </section>
      )}
    </section>
  )
}

type ChoiceProps = { readonly isChosen: boolean; readonly label: string; readonly onChoose: () => void }

const Choice = ({ isChosen, label, onChoose }: ChoiceProps) => (
  <ToggleButton className="button" isSelected={isChosen} onChange={onChoose}>
    {isChosen && <Check size={16} aria-hidden />}
    {label}
  </ToggleButton>
)

function Written({
  place,
  conflict,
  answer,
}: Pick<Props, 'place' | 'conflict'> & { readonly answer: Answer }) {
  const text = 'markdown' in answer ? answer.markdown : 'value' in answer ? answer.value : ''
  return (
    <Version
      place={place}
      conflict={{ ...conflict, versions: { ...conflict.versions, changeRequest: text } }}
      side="changeRequest"
      against={undefined}
      base={undefined}
    />
  )
}
