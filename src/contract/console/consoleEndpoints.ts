import { accessEndpoints } from './access.ts'
import { statsEndpoints } from './stats.ts'
import { peopleEndpoints } from './people.ts'
import { batchEndpoints } from './batches.ts'
import { boardEndpoints } from './boards.ts'
import { callEndpoints } from './calls.ts'
import { keptFileEndpoints } from './files/linkedFile.ts'
import { driftEndpoints } from './drift.ts'
import { experimentCauseEndpoints } from './experiments/experimentCauses.ts'
import { experimentTrendEndpoints } from './experiments/experimentTrend.ts'
import { formEndpoints } from './forms.ts'
import { predictionEndpoints } from './experiments/predictions.ts'
import { sweepEndpoints } from './experiments/sweeps.ts'
import { savedItemEndpoints } from './savedItems.ts'
import { reviewEndpoints } from './review.ts'
import { retentionEndpoints } from './retention.ts'
import { runEndpoints } from './runEndpoints.ts'
import { runInsightEndpoints } from './runInsights.ts'
import { idLookupEndpoints, resourceEndpoints } from './resources.ts'
import { serverEndpoints } from './servers.ts'
import { suiteFileEndpoints } from './suiteFiles.ts'
import { suiteEndpoints } from './suites.ts'
import { webhookEndpoints } from './webhooks.ts'
import { workspaceAdminEndpoints } from './admin/workspaceAdmin.ts'
import { workspaceEndpoints } from './workspaces.ts'

/** The console's own endpoints. Times are ISO 8601 with zone, durations milliseconds. */
export const consoleEndpoints = {
  ...accessEndpoints,
  ...peopleEndpoints,
  ...workspaceEndpoints,
  ...workspaceAdminEndpoints,
  ...formEndpoints,
  ...webhookEndpoints,
  ...serverEndpoints,
  ...suiteEndpoints,
  ...experimentCauseEndpoints,
  ...experimentTrendEndpoints,
  ...suiteFileEndpoints,
  ...predictionEndpoints,
  ...sweepEndpoints,
  ...resourceEndpoints,
  ...runEndpoints,
  ...runInsightEndpoints,
  ...callEndpoints,
  ...keptFileEndpoints,
  ...statsEndpoints,
  ...driftEndpoints,
  ...savedItemEndpoints,
  ...idLookupEndpoints,
  ...retentionEndpoints,
  ...batchEndpoints,
  ...boardEndpoints,
  ...reviewEndpoints,
}
