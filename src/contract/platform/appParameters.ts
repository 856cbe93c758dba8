import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as shape from './schemas.ts'

/** Application parameters, operation 13. A control is an object with one key, its kind. */
export const UserInputControl = shape.looseRecord(
  {},
  {
    label: shape.stringField,
    variable: shape.stringField,
    /** In hand-written apps, numbers and booleans may be strings, and vice versa. */
    required: z.union([shape.booleanField, shape.stringField, z.number()]),
    default: z.unknown(),
    max_length: z.union([shape.integerField, shape.stringField]),
    options: z.array(z.union([shape.stringField, z.number(), shape.booleanField])),
    type: shape.sentSince('1.9', shape.stringField),
    hide: z.union([shape.booleanField, shape.stringField, z.number()]),
    description: shape.stringField,
    allowed_file_types: z.array(shape.stringField),
    allowed_file_extensions: z.array(shape.stringField),
    allowed_file_upload_methods: z.array(shape.stringField),
  },
)
export const AppParameters = shape.looseRecord(
  {},
  {
    opening_statement: shape.stringField,
    suggested_questions: z.array(shape.stringField),
    suggested_questions_after_answer: shape.looseRecord({}, { enabled: shape.booleanField }),
    retriever_resource: shape.looseRecord({}, { enabled: shape.booleanField }),
    annotation_reply: shape.looseRecord(
      {},
      {
        enabled: shape.booleanField,
        /** Sent while the reply is enabled. */
        id: shape.sentSince('1.9', shape.stringField),
        score_threshold: shape.sentSince('1.9', z.number()),
        embedding_model: shape.sentSince(
          '1.9',
          shape.looseRecord(
            {},
            { embedding_provider_name: shape.stringField, embedding_model_name: shape.stringField },
          ),
        ),
      },
    ),
    speech_to_text: shape.objectField,
    text_to_speech: shape.objectField,
    more_like_this: shape.objectField,
    sensitive_word_avoidance: shape.objectField,
    user_input_form: z.array(z.record(z.string(), UserInputControl)),
    file_upload: shape.looseRecord(
      {},
      {
        enabled: shape.booleanField,
        number_limits: shape.integerField,
        allowed_file_types: z.array(shape.stringField),
        allowed_file_extensions: z.array(shape.stringField),
        allowed_file_upload_methods: z.array(shape.stringField),
        fileUploadConfig: shape.sentSince('1.9', shape.objectField),
        image: shape.looseRecord(
          {},
          {
            enabled: shape.booleanField,
            number_limits: shape.integerField,
            detail: shape.stringField,
            transfer_methods: z.array(shape.stringField),
          },
        ),
      },
    ),
    /** Sizes are megabytes, `workflow_file_upload_limit` a number of files. */
    system_parameters: shape.looseRecord(
      {},
      {
        file_size_limit: shape.integerField,
        image_file_size_limit: shape.integerField,
        audio_file_size_limit: shape.integerField,
        video_file_size_limit: shape.integerField,
        workflow_file_upload_limit: shape.integerField,
      },
    ),
  },
)
export type AppParameters = z.output<typeof AppParameters>

export const appParameterEndpoints = {
  /** Operation 13: reads the parameters of an application (upstream: of any app kind). */
  parameters: endpoint({
    method: 'GET',
    path: '/parameters',
    key: 'app',
    permission: 'read',
    reply: AppParameters,
  }),
}
