// Makes a link into the organization, and shows it to be passed on.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createInviteLink, type InviteLink } from '../../data/invitations.ts'
import type { Organization } from '../../data/organization.ts'
import type { Role } from '../../data/roles.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { RoleChoice } from '../../parts/role-choice.tsx'

const EXPIRIES = ['7', '30', 'never'] as const
const USES = ['1', '10', '100', 'any'] as const
const DAY_MS = 86_400_000

type Props = {
  readonly of: Organization
  readonly onCreated: (link: InviteLink) => void
  readonly onClose: () => void
}

export function NewLink({ of, onCreated, onClose }: Props) {
  const [role, setRole] = useState<Role | null>(of.defaultRole ?? 'read')
  const [expiry, setExpiry] = useState<(typeof EXPIRIES)[number]>('7')
  const [uses, setUses] = useState<(typeof USES)[number]>('10')
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => {
      const end = new Date(Date.now() + Number(expiry) * DAY_MS)
      return createInviteLink(of.id, {
        role,
        expiresAt: expiry === 'never' ? null : end.toISOString(),
        usesMax: uses === 'any' ? null : Number(uses),
      })
    },
    onSuccess: onCreated,
  })
  return (
    <Dialog title={t('invite.newLink')} isOpen onClose={onClose}>
      {data === undefined ? (
        <>
          <div className="row">
            <span className="grow" aria-hidden="true">
              {t('invite.linkRole')}
            </span>
            <RoleChoice label={t('invite.linkRole')} chosen={role} none="guest" onChange={setRole} />
          </div>
          <div className="row">
            <span className="grow" aria-hidden="true">
              {t('invite.ends')}
            </span>
            <MenuChoice
              label={t('invite.ends')}
              options={EXPIRIES.map(id => ({ id, title: t(`invite.expiry.${id}`) }))}
              chosen={expiry}
              onChange={setExpiry}
            />
          </div>
          <div className="row">
            <span className="grow" aria-hidden="true">
              {t('invite.uses')}
            </span>
            <MenuChoice
              label={t('invite.uses')}
              options={USES.map(id => ({
                id,
                title: id === 'any' ? t('invite.anyUses') : t('invite.usesOf', { count: Number(id) }),
              }))}
              chosen={uses}
              onChange={setUses}
            />
          </div>
        </>
      ) : (
        <>
          <p className="soft">{t('invite.linksText')}</p>
          <CopyField label={t('invite.link')} value={data.urls.app} />
        </>
      )}
      {error !== null && (
        <p className="field-error" role="alert">
          {sayWhy(error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t(data === undefined ? 'invite.cancel' : 'invite.close')}</Button>
        {data === undefined && (
          <Button look="primary" isPending={isPending} onPress={() => mutate()}>
            {t('invite.newLink')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
