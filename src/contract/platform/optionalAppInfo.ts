import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as shape from './schemas.ts'

export const AppInfo = shape.looseRecord(
  {},
  {
    name: shape.stringField,
    description: shape.stringField,
    tags: z.array(shape.stringField),
    mode: shape.openEnum('completion', 'chat', 'agent-chat', 'advanced-chat', 'workflow', 'agent'),
    author_name: shape.stringField,
  },
)

/** How the platform's own pages show an application. */
export const AppSite = shape.looseRecord(
  {},
  {
    title: shape.stringField,
    chat_color_theme: shape.stringField,
    chat_color_theme_inverted: shape.booleanField,
    icon_type: shape.openEnum('emoji', 'image', 'link'),
    icon: shape.stringField,
    icon_background: shape.stringField,
    icon_url: shape.stringField,
    description: shape.stringField,
    copyright: shape.stringField,
    privacy_policy: shape.stringField,
    input_placeholder: shape.sentSince('1.16', shape.stringField),
    custom_disclaimer: shape.stringField,
    default_language: shape.stringField,
    show_workflow_steps: shape.booleanField,
    use_icon_as_answer_icon: shape.booleanField,
  },
)

export const optionalAppInfoEndpoints = {
  info: endpoint({
    method: 'GET',
    path: '/info',
    key: 'app',
    permission: 'read',
    reply: AppInfo,
    optional: true,
  }),
  /** Returns the settings of the platform's own page of the application. */
  readSite: endpoint({
    method: 'GET',
    path: '/site',
    key: 'app',
    permission: 'read',
    reply: AppSite,
    optional: true,
  }),
  /** Returns the icons of the tools that an agent uses: an address, or an emoji with its background, by the tool. */
  readMeta: endpoint({
    method: 'GET',
    path: '/meta',
    key: 'app',
    permission: 'read',
    reply: shape.looseRecord({}, { tool_icons: shape.objectField }),
    optional: true,
  }),
}
