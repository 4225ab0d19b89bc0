/** The name under which a tool call without one is kept, so that the model is told of it instead of ending the run. */

/** No tool has it, and every vendor takes it back. */
export const namelessTool = "call_without_a_name";
