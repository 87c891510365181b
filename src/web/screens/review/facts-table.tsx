import { t } from '../../messages/messages.ts'
import type { Fact } from './facts.ts'

/** Fields with both values. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <section className="card review-facts" aria-label={t('review.facts')} data-change tabIndex={-1}>
    <table>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('review.factName')}</th>
          <th scope="col">{t('review.before')}</th>
          <th scope="col">{t('review.after')}</th>
        </tr>
      </thead>
      <tbody>
        {facts.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row" dir="auto">
              {name}
            </th>
            <td dir="auto">{before === undefined ? <Nothing /> : <del>{before}</del>}</td>
            <td dir="auto">{after === undefined ? <Nothing /> : <ins>{after}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const Nothing = () => <span className="faint">{t('review.nothing')}</span>
