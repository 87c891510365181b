// All conflicts at the side, one of them beside it, and above how far it has come.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type Place, rollBack } from '../../data/change-request.ts'
import { ApiError } from '../../data/client.ts'
import { type Answer, type Conflict, type Conflicts, conflictsOf, type Goal } from '../../data/conflicts.ts'
import { useSettlements, type Whose } from '../../data/settlements.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { sayRule } from '../../parts/rules.ts'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { ConflictList } from './conflict-list.tsx'
import { type End, finish } from './finish.ts'
import { HEADING_ID, OneConflict } from './one-conflict.tsx'

type Props = {
  readonly place: Place
  readonly goal: Goal
  readonly found: Conflicts
  readonly whose: Whose
  readonly mayFinish: boolean
  readonly mayUpdate: boolean
  readonly back: string
}

export function Settling({ place, goal, found, whose, mayFinish, mayUpdate, back }: Props) {
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const settlements = useSettlements(whose)
  const revealed = useRevealed(found)
  const conflicts = [...found.conflicts, ...revealed.conflicts]
  const { current, at, go } = useCurrent(conflicts, one => settlements.answerOf(one) === undefined)
  const [news, setNews] = useState('')
  const open = conflicts.filter(one => settlements.answerOf(one) === undefined)

  const finishing = useMutation({
    mutationFn: () => {
      // What a side wrote since it was shown here is read by `finish`, and not behind its back.
      const readAgain = () => cache.fetchQuery({ ...conflictsOf(place, goal), staleTime: 0 })
      return finish({ place, goal, found, answerOf: settlements.answerOf, readAgain })
    },
    onMutate: () => setNews(''),
    onSuccess: end => {
      if (end.kind === 'done') return leave(end)
      if (end.kind === 'revealed') revealed.show(end.conflicts)
      const fresh = end.conflicts.filter(one => settlements.answerOf(one) === undefined)
      setNews(
        t(end.kind === 'moved' ? 'conflicts.sidesMoved' : 'conflicts.revealed', { count: fresh.length }),
      )
      const [first] = fresh
      if (first !== undefined) go(first)
    },
    onError: error => {
      const refused = conflicts[placeOfRefusal(error)]
      if (refused !== undefined) go(refused)
    },
  })
  const leave = ({ revision, compared }: Extract<End, { kind: 'done' }>) => {
    settlements.forget()
    navigate(back)
    if (goal === 'update') say(t('conflicts.updated'))
    // Where only the space's was kept there is nothing to undo.
    else if (revision === compared?.ours) say(t('conflicts.published'))
    else say(t('conflicts.published'), { label: t('conflicts.undo'), run: () => undo(place, revision) })
  }
  const settle = (conflict: Conflict, answer: Answer | undefined) => {
    settlements.settle(conflict, answer)
    finishing.reset()
    if (answer === undefined) return
    const next = nextOpen(conflicts, at, one => one !== conflict && settlements.answerOf(one) === undefined)
    if (next !== undefined) go(next)
  }
  const step = (by: number) => {
    const next = conflicts[at + by]
    if (next !== undefined) go(next)
  }
  useShortcuts({ j: () => step(1), k: () => step(-1) })

  return (
    <>
      <p className="soft">{t(goal === 'merge' ? 'conflicts.forMerge' : 'conflicts.forUpdate')}</p>
      <div className="conflicts-bar">
        <p role="status" className="grow conflicts-count">
          {t('conflicts.settled', { count: conflicts.length - open.length, total: conflicts.length })}
        </p>
        {mayFinish && (
          <Button
            look="primary"
            isDisabled={open.length > 0 || found.obstacles.length > 0}
            isPending={finishing.isPending}
            aria-describedby={open.length > 0 ? 'conflicts:open' : undefined}
            onPress={() => finishing.mutate()}
          >
            <Check size={16} aria-hidden />
            {t('conflicts.finish')}
          </Button>
        )}
        {open.length > 0 && (
          <span id="conflicts:open" className="visually-hidden">
            {t('conflicts.finishMissing', { count: open.length })}
          </span>
        )}
      </div>
      {news !== '' && (
        <p className="notice info" role="alert">
          {news}
        </p>
      )}
      {finishing.error !== null && (
        <div className="notice danger" role="alert">
          <p>
            {t('conflicts.notFinished')} {sayWhy(finishing.error)}
          </p>
        </div>
      )}
      {!mayFinish && <p className="notice warning">{t('conflicts.mayNotFinish')}</p>}
      {mayFinish && found.obstacles.length > 0 && (
        <div className="notice warning">
          <div className="stack">
            <p>{t('conflicts.obstacles')}</p>
            <ul>
              {found.obstacles.map((obstacle, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a rule may be there twice, and their order stays
                <li key={index}>{sayRule(obstacle)}</li>
              ))}
            </ul>
            {mayUpdate && (
              <Link className="button" href={`${back}/conflicts?for=update`}>
                {t('conflicts.settleForUpdate')}
              </Link>
            )}
          </div>
        </div>
      )}
      {found.more > 0 && <p className="notice info">{t('conflicts.more', { count: found.more })}</p>}
      {!settlements.isKept && <p className="notice warning">{t('conflicts.notKept')}</p>}
      <div className="conflicts-columns">
        <ConflictList
          conflicts={conflicts}
          current={current}
          isSettled={one => settlements.answerOf(one) !== undefined}
          onChoose={one => go(one, { isFocused: false })}
        />
        <OneConflict
          key={current.address}
          place={place}
          conflict={current}
          at={at}
          total={conflicts.length}
          base={found.compared?.base}
          answer={settlements.answerOf(current)}
          text={settlements.textOf(current)}
          isReadOnly={!mayFinish}
          onWrite={text => settlements.write(current, text)}
          onSettle={answer => settle(current, answer)}
          onStep={step}
        />
      </div>
    </>
  )
}

/** Conflicts that come of what was chosen, as long as both sides stay as they are. */
function useRevealed({ compared }: Conflicts) {
  const sides = `${compared?.ours} ${compared?.theirs}`
  const [state, setState] = useState<{ readonly sides: string; readonly conflicts: readonly Conflict[] }>()
  return {
    conflicts: state?.sides === sides ? state.conflicts : [],
    show: (conflicts: readonly Conflict[]) => setState({ sides, conflicts }),
  }
}

/** The conflict on the screen. It stays if others come or go, and if one of its sides moves. */
function useCurrent(conflicts: readonly Conflict[], isOpen: (conflict: Conflict) => boolean) {
  const first = useRef(conflicts.find(isOpen) ?? conflicts[0])
  const [chosen, setChosen] = useState(first.current)
  const place = conflicts.findIndex(one => one.identity === chosen?.identity)
  const same = place >= 0 ? place : conflicts.findIndex(one => one.address === chosen?.address)
  const at = Math.max(same, 0)
  const current = conflicts[at]
  if (current === undefined) throw new Error('There is a conflict where conflicts are settled.')
  return {
    current,
    at,
    go(conflict: Conflict, { isFocused = true } = {}) {
      setChosen(conflict)
      if (isFocused) requestAnimationFrame(() => document.getElementById(HEADING_ID)?.focus())
    },
  }
}

/** The next one that is open, from the beginning again after the last. */
function nextOpen(
  conflicts: readonly Conflict[],
  at: number,
  isOpen: (conflict: Conflict) => boolean,
): Conflict | undefined {
  return [...conflicts.slice(at + 1), ...conflicts.slice(0, at)].find(isOpen)
}

/** Which answer was refused. */
const placeOfRefusal = (error: unknown): number =>
  error instanceof ApiError ? (error.values.resolution ?? -1) : -1

async function undo({ spaceId }: Place, revision: string): Promise<void> {
  try {
    const { result } = await rollBack(spaceId, revision)
    say(t(result === 'rollback' ? 'conflicts.undone' : 'conflicts.undoConflicts'))
  } catch (error) {
    sayFailure(error)
  }
}
