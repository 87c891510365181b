// A defect in a screen shows what happened and a way on, and leaves the rest standing.
import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { Failed } from '../parts/state.tsx'

type Props = { readonly children: ReactNode }

export const Boundary = ({ children }: Props) => (
  <QueryErrorResetBoundary>
    {({ reset }) => <Catch onRetry={reset}>{children}</Catch>}
  </QueryErrorResetBoundary>
)

type CatchProps = Props & { readonly onRetry: () => void }

class Catch extends Component<CatchProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    const retry = () => {
      this.props.onRetry()
      this.setState({ error: null })
    }
    return <Failed error={error} onRetry={retry} ofScreen />
  }
}
