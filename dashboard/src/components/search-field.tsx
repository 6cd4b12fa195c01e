import { useTyped } from '../hooks/use-typed.js'
import { InputField } from './field.js'

const SEARCH_MAX = 100

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onSearch: (value: string) => void
}

/** A field that searches when the typing pauses. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useTyped(value, onSearch)
  return (
    <InputField
      label={label}
      type="search"
      maxLength={SEARCH_MAX}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
