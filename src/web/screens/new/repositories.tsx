// New spaces, and the repository of a space: they come together, since they have most of their parts in common.
import { GitScreen } from '../git/git.tsx'
import { NewScreen } from './new.tsx'

type Props = { readonly spaceId: string } | { readonly way: string | undefined }

export default function Repositories(props: Props) {
  return 'spaceId' in props ? (
    <GitScreen key={props.spaceId} spaceId={props.spaceId} />
  ) : (
    <NewScreen way={props.way} />
  )
}
