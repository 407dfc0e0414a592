internal import PageStore

extension WriteTransaction {
  /// Does something with the transaction, and throws its errors as those of a database.
  mutating func storing<Result>(
    _ body: (inout WriteTransaction) throws(StoreError) -> Result
  ) throws(DatabaseError) -> Result {
    do throws(StoreError) {
      return try body(&self)
    } catch {
      throw .store(error)
    }
  }
}
