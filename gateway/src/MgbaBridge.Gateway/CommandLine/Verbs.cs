namespace MgbaBridge.Gateway.CommandLine;

/// <summary>All verbs but <c>serve</c>.</summary>
internal static class Verbs
{
    /// <summary>Adds them, in the order in which the help lists them.</summary>
    public static void AddTo(VerbTree tree)
    {
        StatusVerbs.AddTo(tree);
        FleetVerb.AddTo(tree);
        DoctorVerb.AddTo(tree);
        MemoryVerbs.AddTo(tree);
        MachineVerbs.AddTo(tree);
        PlayVerb.AddTo(tree);
        WatchVerb.AddTo(tree);
        BenchVerb.AddTo(tree);
        ScriptVerb.AddTo(tree);
        TokenVerb.AddTo(tree);
        VersionVerb.AddTo(tree);
        CompletionVerb.AddTo(tree);
        OperationVerbs.AddTo(tree);
        tree.DescribeGroups();
    }
}
