import type { Route } from '../../route.js'
import { showDashboard } from './show.js'
import { showDashboardFile } from './show-file.js'
import { showDashboardView } from './show-view.js'

/** Routes of the area. The parts of the page come before its views, whose path fits every address below. */
export const dashboardRoutes: readonly Route[] = [showDashboard, showDashboardFile, showDashboardView]
