import { editLabel } from './edit.js'

export const labelOperations = [editLabel] as const
