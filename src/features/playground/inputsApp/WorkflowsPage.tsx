import { InputsAppPage } from './InputsPlayground.tsx'

/** `/workflows`: the playground of the workflow app in the URL, or an explanation. */
export const WorkflowsPage = () => <InputsAppPage kind="workflow" />
