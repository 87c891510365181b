// Whether what is written is saved, in words; and what to do if it cannot be.
import { Link } from 'wouter'
import { isReason, isStatus } from '../../data/client.ts'
import { spaceAddress } from '../../data/pages.ts'
import { useStore } from '../../data/store.ts'
import type { PageWriting } from '../../editor/page-writing.ts'
import type { SaveState } from '../../editor/save-state.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { sayWhy } from '../../parts/refusals.ts'

export function SaveMark({ writing }: { readonly writing: PageWriting }) {
  const state = useStore(writing.state)
  const isKept = useStore(writing.isKept)
  return (
    <>
      <span className={`editor-saved ${state.kind}`} role="status">
        {state.kind === 'waiting' && !isKept ? sayWhy(state.error) : wordsOf(state)}
      </span>
      {!isKept && state.kind !== 'saved' && (
        <p className="notice warning" role="alert">
          {t('editor.deviceFull')}
        </p>
      )}
      {state.kind === 'refused' && <Refused writing={writing} error={state.error} />}
    </>
  )
}

const WAITING_FOR: Readonly<Record<number, 'offline' | 'full'>> = { 0: 'offline', 507: 'full' }

function wordsOf(state: SaveState): string {
  switch (state.kind) {
    case 'waiting':
      return t(`editor.state.${WAITING_FOR[state.error.status] ?? 'busy'}`)
    default:
      return t(`editor.state.${state.kind}`)
  }
}

/** What was typed stays here; where it cannot go, there is somewhere else. */
function Refused({ writing, error }: { readonly writing: PageWriting; readonly error: Error }) {
  const { spaceId } = writing.place.get()
  const isClosed = isReason(error, 'change_request_merged') || isReason(error, 'change_request_archived')
  return (
    <div className="notice danger" role="alert">
      <p>{sayWhy(error)}</p>
      <div className="row">
        {isClosed && <Button onPress={() => void writing.moveToNewDraft()}>{t('editor.newDraft')}</Button>}
        {isStatus(error, 404) && (
          <Link className="button" href={spaceAddress(spaceId)}>
            {t('space.backToSpace')}
          </Link>
        )}
        {!isClosed && <Button onPress={() => void writing.save()}>{t('state.retry')}</Button>}
      </div>
    </div>
  )
}
