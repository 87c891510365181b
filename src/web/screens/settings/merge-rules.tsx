// What has to be true before a change request may be merged: which rules there are, of a space or of an organization.
import { useMutation, useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { membersOf } from '../../data/members.ts'
import type { MergeRule } from '../../data/settings.ts'
import type { Space } from '../../data/spaces.ts'
import { language, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { NewRule } from './new-rule.tsx'

type Rules = Space['mergeRules']

type Props<Type extends Rules['type']> = {
  readonly value: Rules
  readonly types: readonly Type[]
  readonly organizationId: string
  readonly onSave: (rules: Extract<Rules, { type: Type }>) => Promise<unknown>
}

export function MergeRules<Type extends Rules['type']>({
  value,
  types,
  organizationId,
  onSave,
}: Props<Type>) {
  const [isNew, setNew] = useState(false)
  const { data: members = [] } = useQuery(membersOf(organizationId))
  const save = useMutation({
    // The type is one of those offered, or the one there was.
    mutationFn: (rules: Rules) => onSave(rules as Extract<Rules, { type: Type }>),
    onSuccess: () => say(t('settings.saved')),
    onError: sayFailure,
  })
  const rules = value.type === 'rules' ? value.rules : []
  const names = new Map(members.map(({ id, user }) => [id, user.displayName]))
  return (
    <section className="stack" aria-label={t('settings.rules')}>
      <h2>{t('settings.rules')}</h2>
      <div className="row">
        <p className="grow soft">{t('settings.rulesText')}</p>
        <MenuChoice
          label={t('settings.rulesType')}
          options={types.map(id => ({ id, title: t(`settings.rulesTypes.${id as Rules['type']}`) }))}
          chosen={value.type as Type}
          isPending={save.isPending}
          onChange={type => {
            if (type === 'rules') save.mutate({ type, rules: [] })
            else save.mutate({ type } as Rules)
          }}
        />
      </div>
      {value.type === 'rules' && (
        <>
          {rules.length === 0 ? (
            <p className="soft">{t('settings.noRules')}</p>
          ) : (
            <ol role="list" className="card rows" aria-label={t('settings.rules')}>
              {rules.map((rule, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no other identity
                <li key={at} className="rows-row">
                  <Rule rule={rule} names={names} />
                  <Button
                    look="quiet"
                    aria-label={t('settings.removeRuleOf', { rule: t(`settings.rule.${rule.rule}`) })}
                    onPress={() => save.mutate({ type: 'rules', rules: rules.toSpliced(at, 1) })}
                  >
                    {t('settings.removeRule')}
                  </Button>
                </li>
              ))}
            </ol>
          )}
          <div>
            <Button onPress={() => setNew(true)}>
              <Plus size={16} aria-hidden />
              {t('settings.addRule')}
            </Button>
          </div>
        </>
      )}
      {isNew && (
        <NewRule
          members={members}
          add={rule => onSave({ type: 'rules', rules: [...rules, rule] } as Extract<Rules, { type: Type }>)}
          onClose={() => setNew(false)}
        />
      )}
    </section>
  )
}

const list = new Intl.ListFormat(language)

const Rule = ({ rule, names }: { readonly rule: MergeRule; readonly names: ReadonlyMap<string, string> }) => (
  <div className="grow">
    <p>{t(`settings.rule.${rule.rule}`)}</p>
    <p className="rows-facts">
      {'users' in rule && <bdi>{list.format(rule.users.map(id => names.get(id) ?? id))}</bdi>}
      {'expression' in rule && <code>{rule.expression}</code>}
      {'message' in rule && <bdi>{rule.message}</bdi>}
    </p>
  </div>
)
