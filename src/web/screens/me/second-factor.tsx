// How the second step of signing in stands; it is set up on a page outside the workspace.
import { useQuery } from '@tanstack/react-query'
import { secondFactor } from '../../data/account.ts'
import { t } from '../../messages/messages.ts'
import { Loaded } from '../../parts/state.tsx'

const SETTINGS_PAGE = '/account/second-factor'
/** With so few codes left, the server tells people to make new ones. */
const CODES_FEW = 3

export function SecondFactor() {
  const query = useQuery(secondFactor)
  return (
    <section className="stack" aria-label={t('me.secondFactor')}>
      <h2>{t('me.secondFactor')}</h2>
      <Loaded query={query} lines={1}>
        {({ hasPassword, totp, passkeys, recoveryCodes }) => {
          const isOn = totp || passkeys.length > 0
          return (
            <div className="row">
              <p className="grow soft">
                {!hasPassword && t('me.secondFactorPasswordless')}
                {hasPassword && !isOn && t('me.secondFactorOff')}
                {isOn &&
                  [
                    totp && t('me.secondFactorApp'),
                    passkeys.length > 0 && t('me.secondFactorPasskeys', { count: passkeys.length }),
                    t(recoveryCodes > CODES_FEW ? 'me.secondFactorCodes' : 'me.secondFactorCodesFew', {
                      count: recoveryCodes,
                    }),
                  ]
                    .filter(part => part !== false)
                    .join(' ')}
              </p>
              {hasPassword && (
                <a className="button" href={SETTINGS_PAGE}>
                  {t('me.secondFactorLink')}
                </a>
              )}
            </div>
          )
        }}
      </Loaded>
    </section>
  )
}
