import { useState } from 'react'

/** Returns true from when the value was true once. */
export function useWasTrue(value: boolean): boolean {
  const [was, setWas] = useState(value)
  if (value && !was) setWas(true)
  return was || value
}
