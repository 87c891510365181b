// Writes a comment or a reply, in Markdown. What is written stays on this device until it is sent or cancelled; `@`
// mentions people.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { isStatus } from '../../data/client.ts'
import { useDraft } from '../../data/drafts.ts'
import { type Member, membersLike } from '../../data/members.ts'
import { me } from '../../data/people.ts'
import { space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Avatar } from '../avatar.tsx'
import { Button } from '../button.tsx'
import { sayWhy } from '../refusals.ts'
import { type Mentioned, mentionAt, readMentions, writeMentions } from './mentions.ts'

const CHARACTERS_MAX = 20_000

/** Without words only if `mayBeEmpty`. */
export type Sending = {
  readonly label: string
  readonly mayBeEmpty: boolean
  readonly onSend: (markdown: string) => Promise<unknown>
}

type Props = {
  readonly spaceId: string
  /** Names the draft: what is written here belongs to this place. */
  readonly place: string
  readonly label: string
  /** On the button that sends. */
  readonly action: string
  /** Markdown that is being changed. */
  readonly initial?: string
  readonly isFocused?: boolean
  /** Whether nothing is something to send. */
  readonly mayBeEmpty?: boolean
  readonly onSend: (markdown: string) => Promise<unknown>
  /** Other things that the text can be sent as. */
  readonly others?: readonly Sending[]
  readonly onCancel?: () => void
}

export function Composer({
  spaceId,
  place,
  label,
  action,
  initial = '',
  isFocused,
  mayBeEmpty = false,
  onSend,
  others = [],
  onCancel,
}: Props) {
  const { id: personId } = useSuspenseQuery(me).data
  const draft = useDraft(personId, place, initial)
  const [{ text, mentioned }, setWritten] = useState(() => readMentions(draft.text))
  const [caret, setCaret] = useState(0)
  const [state, setState] = useState<{ readonly isSending: boolean; readonly error?: unknown }>({
    isSending: false,
  })
  const field = useRef<HTMLTextAreaElement>(null)
  const placed = useRef<number | undefined>(undefined)
  const errorId = useId()

  const write = (next: string, people: Mentioned) => {
    setWritten({ text: next, mentioned: people })
    draft.change(writeMentions(next, people))
  }
  const suggestions = useSuggestions(spaceId, text, caret)

  // The field is as high as its text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is measured again for each text
  useLayoutEffect(() => {
    const { current } = field
    if (current === null) return
    current.style.blockSize = 'auto'
    current.style.blockSize = `${current.scrollHeight + 2}px`
    if (placed.current === undefined) return
    current.setSelectionRange(placed.current, placed.current)
    placed.current = undefined
  }, [text])

  const isTooLong = text.length > CHARACTERS_MAX
  const mention = ({ user }: Member) => {
    const open = mentionAt(text, caret)
    if (open === undefined) return
    const before = `${text.slice(0, open.start)}@${user.displayName} `
    placed.current = before.length
    setCaret(before.length)
    write(before + text.slice(caret).replace(/^ /, ''), new Map(mentioned).set(user.displayName, user.id))
    field.current?.focus()
  }
  const isBlank = text.trim() === ''
  // What is being sent changes what is there.
  const isOld = draft.isOld && !state.isSending
  const drop = () => {
    setWritten(readMentions(initial))
    draft.drop()
    setState({ isSending: false })
  }
  const keepMine = () => {
    draft.keepMine()
    setState({ isSending: false })
  }
  const cancel = () => {
    drop()
    onCancel?.()
  }
  const send = async (how: Pick<Sending, 'mayBeEmpty' | 'onSend'> = { mayBeEmpty, onSend }) => {
    if ((isBlank && !how.mayBeEmpty) || isTooLong || isOld || state.isSending) return
    setState({ isSending: true })
    try {
      await how.onSend(writeMentions(text, mentioned))
      drop()
    } catch (error) {
      setState({ isSending: false, error })
    }
  }
  const press = (event: KeyboardEvent) => {
    if (suggestions.press(event, mention)) return event.preventDefault()
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      return send()
    }
    if (event.key !== 'Escape' || onCancel === undefined) return
    event.stopPropagation()
    onCancel()
  }
  // What others wrote meanwhile is offered as soon as it is read.
  const hasFailed = (state.error !== undefined && !isOld) || isTooLong
  return (
    <form
      className="composer"
      onSubmit={event => {
        event.preventDefault()
        return send()
      }}
    >
      {isOld && (
        <div className="notice warning" role="alert">
          <div>
            <p>{t('thread.changedMeanwhile')}</p>
            <div className="row">
              <Button onPress={keepMine}>{t('thread.keepMine')}</Button>
              <Button onPress={drop}>{t('thread.takeTheirs')}</Button>
            </div>
          </div>
        </div>
      )}
      <div className="composer-field">
        <textarea
          ref={field}
          className="input"
          rows={2}
          // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to write
          autoFocus={isFocused}
          aria-label={label}
          placeholder={label}
          value={text}
          readOnly={state.isSending}
          aria-invalid={hasFailed}
          aria-describedby={hasFailed ? errorId : undefined}
          {...suggestions.field}
          onChange={event => {
            setCaret(event.target.selectionStart)
            write(event.target.value, mentioned)
          }}
          onSelect={event => setCaret(event.currentTarget.selectionStart)}
          onBlur={suggestions.close}
          onKeyDown={press}
        />
        {suggestions.render(mention)}
      </div>
      {hasFailed && (
        <p id={errorId} className="field-error" role="alert">
          {isTooLong ? t('thread.tooLong', { count: text.length - CHARACTERS_MAX }) : sayFailure(state.error)}
        </p>
      )}
      <div className="composer-actions">
        <span className="grow faint small composer-hint">{t('thread.hint')}</span>
        {onCancel !== undefined && (
          <Button look="quiet" onPress={cancel}>
            {t('thread.cancel')}
          </Button>
        )}
        {others.map(other => (
          <Button
            key={other.label}
            isPending={state.isSending}
            isDisabled={(isBlank && !other.mayBeEmpty) || isTooLong || isOld}
            onPress={() => send(other)}
          >
            {other.label}
          </Button>
        ))}
        <Button
          look="primary"
          type="submit"
          isPending={state.isSending}
          isDisabled={(isBlank && !mayBeEmpty) || isTooLong || isOld}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}

const sayFailure = (error: unknown): string =>
  isStatus(error, 412) ? t('thread.changedMeanwhile') : sayWhy(error)

/** People to mention for what stands before the caret, chosen with the arrows, Enter and Tab. */
function useSuggestions(spaceId: string, text: string, caret: number) {
  const listId = useId()
  const open = mentionAt(text, caret)
  const [closedAt, setClosedAt] = useState<number>()
  const [chosen, setChosen] = useState(0)
  const organization = useQuery(space(spaceId)).data?.organization
  const isAsked = open !== undefined && open.start !== closedAt && organization !== undefined
  const { data } = useQuery({
    ...membersLike(organization ?? '', open?.query.trim() ?? ''),
    enabled: isAsked,
    retry: false,
  })
  const people = isAsked ? (data?.items ?? []).filter(({ disabled }) => !disabled) : []
  const at = Math.min(chosen, people.length - 1)
  const optionId = (index: number) => `${listId}-${index}`
  const close = () => setClosedAt(open?.start)
  return {
    close,
    field:
      people.length === 0
        ? { 'aria-autocomplete': 'list' as const }
        : {
            'aria-autocomplete': 'list' as const,
            'aria-controls': listId,
            'aria-activedescendant': optionId(at),
          },
    /** Whether the key was for the list. */
    press(event: KeyboardEvent, choose: (member: Member) => void): boolean {
      const person = people[at]
      // Enter chooses the words of an input method first.
      if (person === undefined || event.nativeEvent.isComposing) return false
      if (event.key === 'ArrowDown') setChosen((at + 1) % people.length)
      else if (event.key === 'ArrowUp') setChosen((at + people.length - 1) % people.length)
      else if (event.key === 'Tab' || (event.key === 'Enter' && !event.metaKey && !event.ctrlKey)) {
        choose(person)
        setChosen(0)
      } else if (event.key === 'Escape') {
        event.stopPropagation()
        close()
      } else return false
      return true
    },
    render: (choose: (member: Member) => void) =>
      people.length > 0 && (
        <div className="popover composer-people" role="listbox" id={listId} aria-label={t('thread.people')}>
          {people.map((person, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the active option
            <div
              key={person.id}
              id={optionId(index)}
              role="option"
              aria-selected={index === at}
              className="option"
              data-focused={index === at || undefined}
              // The field keeps the focus.
              onMouseDown={event => event.preventDefault()}
              onClick={() => choose(person)}
            >
              <Avatar name={person.user.displayName} />
              <span className="truncate">{person.user.displayName}</span>
            </div>
          ))}
        </div>
      ),
  }
}
