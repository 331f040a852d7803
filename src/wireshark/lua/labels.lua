-- What numbers mean: rules that are functions in the declarations have twins here, which dissectors add.
return {}
