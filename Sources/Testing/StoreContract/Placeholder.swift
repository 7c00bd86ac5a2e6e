enum StoreContractPlaceholder {}
