// Adds a merge rule: its kind, and what that needs.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member } from '../../data/members.ts'
import type { MergeRule } from '../../data/settings.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import Choice from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { say } from '../../parts/toasts.tsx'

const OF_PEOPLE = ['require_specific_reviewers', 'require_one_of_specific_reviewers', 'allow_bypass'] as const
const PLAIN = [
  'require_at_least_one_approved_review',
  'require_at_least_one_review',
  'require_all_reviews_approved',
  'require_up_to_date_change_request',
  'require_change_request_subject',
  'require_change_request_description',
  'require_author_to_merge',
] as const
const KINDS = [...PLAIN, ...OF_PEOPLE, 'custom'] as const
type Kind = (typeof KINDS)[number]

const EXPRESSION_CHARACTERS_MAX = 1024
const MESSAGE_CHARACTERS_MAX = 512

type Props = {
  readonly members: readonly Member[]
  readonly add: (rule: MergeRule) => Promise<unknown>
  readonly onClose: () => void
}

export function NewRule({ members, add, onClose }: Props) {
  const [kind, setKind] = useState<Kind>(PLAIN[0])
  const [users, setUsers] = useState<readonly string[]>([])
  const [expression, setExpression] = useState('')
  const [message, setMessage] = useState('')
  const rule = ruleOf(kind, users, expression.trim(), message.trim())
  const { mutate, isPending, error } = useMutation({
    mutationFn: add,
    onSuccess: () => {
      say(t('settings.saved'))
      onClose()
    },
  })
  const isOfPeople = OF_PEOPLE.some(one => one === kind)
  return (
    <Dialog title={t('settings.addRule')} isOpen onClose={onClose}>
      <MenuChoice
        label={t('settings.ruleKind')}
        options={KINDS.map(id => ({ id, title: t(`settings.rule.${id}`) }))}
        chosen={kind}
        onChange={setKind}
      />
      {isOfPeople && (
        <>
          <Choice
            // Another one after somebody was added: the field is empty again.
            key={users.length}
            label={t('settings.rulePeople')}
            options={members
              .filter(({ id }) => !users.includes(id))
              .map(({ id, user }) => ({ id, name: user.displayName }))}
            chosen={undefined}
            onChange={id => {
              if (id !== undefined) setUsers([...users, id])
            }}
          />
          {users.length === 0 && <p className="field-hint">{t('settings.ruleNobody')}</p>}
          <ul role="list" className="stack-small">
            {users.map(id => {
              const name = members.find(one => one.id === id)?.user.displayName ?? id
              return (
                <li key={id} className="row">
                  <bdi className="grow truncate">{name}</bdi>
                  <Button
                    look="quiet"
                    aria-label={t('team.takeOutOf', { name: isolated(name) })}
                    onPress={() => setUsers(users.filter(one => one !== id))}
                  >
                    {t('team.takeOut')}
                  </Button>
                </li>
              )
            })}
          </ul>
        </>
      )}
      {kind === 'custom' && (
        <>
          <Field
            label={t('settings.expression')}
            hint={t('settings.expressionHint')}
            isLong
            value={expression}
            onChange={setExpression}
            maxLength={EXPRESSION_CHARACTERS_MAX}
          />
          <Field
            label={t('settings.message')}
            value={message}
            onChange={setMessage}
            maxLength={MESSAGE_CHARACTERS_MAX}
          />
        </>
      )}
      {error !== null && (
        <p className="field-error" role="alert">
          {sayWhy(error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('settings.cancel')}</Button>
        <Button
          look="primary"
          isPending={isPending}
          isDisabled={rule === undefined}
          onPress={() => {
            if (rule !== undefined) mutate(rule)
          }}
        >
          {t('settings.addRule')}
        </Button>
      </div>
    </Dialog>
  )
}

/** Undefined as long as something is missing. */
function ruleOf(
  kind: Kind,
  users: readonly string[],
  expression: string,
  message: string,
): MergeRule | undefined {
  if (kind === 'custom') {
    if (expression === '') return undefined
    return { rule: kind, expression, ...(message === '' ? {} : { message }) }
  }
  const ofPeople = OF_PEOPLE.find(one => one === kind)
  if (ofPeople !== undefined) return users.length === 0 ? undefined : { rule: ofPeople, users: [...users] }
  const plain = PLAIN.find(one => one === kind)
  return plain === undefined ? undefined : { rule: plain }
}
