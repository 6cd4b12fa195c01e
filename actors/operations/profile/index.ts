import { setProfileStatus } from './set-about.js'
import { setProfileImage } from './set-image.js'
import { setProfileName } from './set-name.js'
import { setPrivacy } from './set-privacy.js'
import { showPrivacy } from './show-privacy.js'

export const profileOperations = [setPrivacy, setProfileImage, setProfileName, setProfileStatus, showPrivacy] as const
