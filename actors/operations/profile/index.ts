import { setProfileName } from './set-name.js'

export const profileOperations = [setProfileName] as const
