namespace MgbaBridge.Gateway.Operations;

/// <summary>What a caller can do after a failure. Each interface names the operation in its own way: a path, a verb, a tool.</summary>
/// <param name="Operation">The operation; null when none does it.</param>
/// <param name="Purpose">What it does for the caller, such as <c>lists them</c>; without an operation, what to do, as a sentence.</param>
public sealed record NextStep(Operation? Operation, string Purpose)
{
    /// <summary>Something that no operation does.</summary>
    /// <param name="sentence">What to do, as a sentence.</param>
    public static NextStep Do(string sentence) => new(null, sentence);

    /// <summary>It as a sentence.</summary>
    /// <param name="nameOf">How an interface names an operation.</param>
    public string Sentence(Func<Operation, string> nameOf) => Operation is null ? Purpose : $"{nameOf(Operation)} {Purpose}.";
}
