import { editLabel } from './edit.js'
import { refreshLabels } from './refresh.js'

export const labelOperations = [editLabel, refreshLabels] as const
