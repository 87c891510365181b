// Inviting by email address: as many as there are in the field, however they were pasted. What is no address stays there,
// and is named. Where no mail is sent, each has a link at once.
import { useMutation } from '@tanstack/react-query'
import UserPlus from 'lucide-react/icons/user-plus'
import { useState } from 'react'
import { readAddresses, writeAddress } from '../../data/addresses.ts'
import { type Invited, invitePeople } from '../../data/invitations.ts'
import type { Organization } from '../../data/organization.ts'
import type { Role } from '../../data/roles.ts'
import { makeSignInLinks, type SignInLinks } from '../../data/sign-in-links.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { RoleChoice } from '../../parts/role-choice.tsx'
import { SignInLinksMade } from './sign-in-links.tsx'

export function Invite({ of }: { readonly of: Organization }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="primary" onPress={() => setOpen(true)}>
        <UserPlus size={16} aria-hidden />
        {t('invite.button')}
      </Button>
      {isOpen && <InviteDialog of={of} onClose={() => setOpen(false)} />}
    </>
  )
}

const NAMED_MAX = 20
/** Where the organization says nothing else: they write, and others merge. */
const TEAM_ROLE = 'edit'

function InviteDialog({ of, onClose }: { readonly of: Organization; readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [role, setRole] = useState<Role | null>(of.defaultRole ?? TEAM_ROLE)
  const { right, wrong } = readAddresses(text)
  const [made, setMade] = useState<SignInLinks>()
  const links = useMutation({
    mutationFn: (people: readonly string[]) => makeSignInLinks(of.id, people, made),
    onSuccess: setMade,
  })
  const { mutate, isPending, data } = useMutation({
    mutationFn: () => invitePeople(of.id, right, role),
    onSuccess: ({ wrong: refused, left, people, isMailed }) => {
      setText([...wrong, ...refused, ...left.map(writeAddress)].join('\n'))
      if (people.length > 0 && !isMailed) links.mutate(people)
    },
  })
  return (
    <Dialog title={t('invite.title')} isOpen onClose={onClose}>
      <Field
        label={t('invite.addresses')}
        hint={t('invite.hint')}
        isLong
        autoFocus
        value={text}
        onChange={setText}
        error={wrong.length === 0 ? undefined : sayWrong(wrong)}
      />
      <div className="row">
        <span className="grow soft">{t('invite.found', { count: right.length })}</span>
        <RoleChoice label={t('invite.role')} chosen={role} none="guest" onChange={setRole} />
      </div>
      {data !== undefined && <Outcome {...data} />}
      {made !== undefined && (
        <SignInLinksMade made={made} isPending={links.isPending} onMissing={() => links.mutate(made.left)} />
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('invite.close')}</Button>
        <Button look="primary" isPending={isPending} isDisabled={right.length === 0} onPress={() => mutate()}>
          {t('invite.send')}
        </Button>
      </div>
    </Dialog>
  )
}

function sayWrong(wrong: readonly string[]): string {
  const named = wrong.slice(0, NAMED_MAX).map(isolated).join(', ')
  const more = wrong.length - NAMED_MAX
  const list = more > 0 ? t('invite.andMore', { list: named, count: more }) : named
  return t('invite.wrong', { list, count: wrong.length })
}

const Outcome = ({ taken, people, isMailed, error }: Invited) => (
  <div className="stack-small">
    {taken.length > 0 && (
      <p className="notice success" role="status">
        {t('invite.done', { count: people.length })}{' '}
        {taken.length > people.length && t('invite.already', { count: taken.length - people.length })}{' '}
        {people.length > 0 && t(isMailed ? 'invite.mailed' : 'invite.noMail')}
      </p>
    )}
    {error !== null && (
      <p className="field-error" role="alert">
        {sayWhy(error)}
      </p>
    )}
  </div>
)
