import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField, type TextFieldProps } from 'react-aria-components/TextField'

type Props = Omit<TextFieldProps, 'className' | 'children'> & {
  readonly label: string
  readonly hint?: string
  readonly isLong?: boolean
  /** Why what stands there was refused. */
  readonly error?: string | undefined
}

export const Field = ({ label, hint, isLong = false, error, ...props }: Props) => (
  // What the server refused keeps no form from being sent again.
  <TextField
    isInvalid={error !== undefined}
    validationBehavior={error === undefined ? 'native' : 'aria'}
    {...props}
    className="field"
  >
    <Label>{label}</Label>
    {isLong ? <TextArea /> : <Input />}
    {hint !== undefined && <span className="field-hint">{hint}</span>}
    <FieldError className="field-error">{error}</FieldError>
  </TextField>
)
