import EngineTesting
import SignInEngine
import SignInFlow
import SignInModel

// Tests write texts where a program has secrets.
extension PageEvent {
  static func fieldEdited(_ field: FieldName, _ text: String) -> PageEvent {
    .fieldEdited(field, Secret(text))
  }
}
