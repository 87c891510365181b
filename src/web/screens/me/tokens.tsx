// The tokens with which programs act for the person.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { revokeToken, type Token, tokens } from '../../data/account.ts'
import { organizations } from '../../data/people.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Question } from '../../parts/question.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toasts.tsx'
import { Unlimited } from './limited.tsx'
import { NewToken } from './new-token.tsx'

export function Tokens() {
  const query = useQuery(tokens)
  const [isNew, setNew] = useState(false)
  const [revoking, setRevoking] = useState<Token>()
  return (
    <section className="stack" aria-label={t('me.tokens')}>
      <h2>{t('me.tokens')}</h2>
      <Unlimited query={query}>
        <div className="row">
          <p className="grow soft">{t('me.tokensText')}</p>
          <Button onPress={() => setNew(true)}>
            <Plus size={16} aria-hidden />
            {t('me.createToken')}
          </Button>
        </div>
        <Loaded query={query} lines={2}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="soft">{t('me.noTokens')}</p>
            ) : (
              <RowList label={t('me.tokens')} items={items} nameOf={({ label }) => label}>
                {one => (
                  <>
                    <Facts token={one} />
                    <Button
                      look="quiet"
                      aria-label={t('me.revokeOf', { name: one.label })}
                      onPress={() => setRevoking(one)}
                    >
                      {t('me.revoke')}
                    </Button>
                  </>
                )}
              </RowList>
            )
          }
        </Loaded>
      </Unlimited>
      {isNew && <NewToken onClose={() => setNew(false)} />}
      {revoking !== undefined && (
        <Question
          title={t('me.revokeTitle', { name: isolated(revoking.label) })}
          verb={t('me.revoke')}
          act={() => revokeToken(revoking.id)}
          onDone={() => {
            setRevoking(undefined)
            say(t('me.revoked'))
          }}
          onClose={() => setRevoking(undefined)}
        >
          <p className="soft">{t('me.revokeText')}</p>
        </Question>
      )}
    </section>
  )
}

function Facts({ token: { label, scopes, organization, lastUsedAt, expiresAt } }: { readonly token: Token }) {
  const { items } = useSuspenseQuery(organizations).data
  const only = items.find(({ id }) => id === organization)
  return (
    <div className="grow">
      <p className="rows-title" dir="auto">
        {label}
      </p>
      <p className="rows-facts">
        <span>
          {scopes === null ? (
            t('me.mays.everything')
          ) : (
            <span title={scopes.join(' ')}>{t('me.scopes', { count: scopes.length })}</span>
          )}
        </span>
        {only !== undefined && <span>{t('me.onlyIn', { organization: isolated(only.title) })}</span>}
        {lastUsedAt === null ? (
          <span>{t('me.neverUsed')}</span>
        ) : (
          <span>
            {t('me.usedLast')} <Time value={lastUsedAt} />
          </span>
        )}
        {expiresAt === null ? (
          <span>{t('me.endsNever')}</span>
        ) : (
          <span>
            {t('me.ends')} <Time value={expiresAt} />
          </span>
        )}
      </p>
    </div>
  )
}
