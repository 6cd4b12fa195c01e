import { useEffect, useState } from 'react'
import { InputField } from './field.js'

/** Time without typing after which the search is asked. */
const TYPING_MS = 250
const SEARCH_MAX = 100

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onSearch: (value: string) => void
}

/** A field that searches when the typing pauses. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => {
    if (typed === value) return undefined
    const timer = setTimeout(() => onSearch(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch])
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
