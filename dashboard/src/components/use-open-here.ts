import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'

/** Holds whether a list of links is open. It closes as soon as another page is shown. */
export function useOpenHere(): readonly [boolean, (isOpen: boolean) => void] {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [openAt, setOpenAt] = useState<string | undefined>(undefined)
  return [openAt === path, (isOpen) => setOpenAt(isOpen ? path : undefined)]
}
